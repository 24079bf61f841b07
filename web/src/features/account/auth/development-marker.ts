import { local, read, storageKeys, write } from '#lib/storage.ts'

/** Marks this browser as being in a development session. In a file of its own, so that production builds and the landing page hold nothing else of it. */
export const developmentMarker = {
  isSet: () => read(local, storageKeys.devAuthActive) === 'true',
  set: () => write(local, storageKeys.devAuthActive, 'true'),
  clear: () => write(local, storageKeys.devAuthActive, null),
}
