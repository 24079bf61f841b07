import { local, read, storageKeys, write } from '#lib/storage.ts'

/** Marks this browser as in a development session. Apart from it, so that a production build holds nothing else of that. */
export const developmentMarker = {
  isSet: () => read(local, storageKeys.devAuthActive) === 'true',
  set: () => write(local, storageKeys.devAuthActive, 'true'),
  clear: () => write(local, storageKeys.devAuthActive, null),
}
