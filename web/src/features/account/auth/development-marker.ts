import { local, read, storageKeys, write } from '#lib/storage.ts'

/**
 * Marks this browser as being in a development session. In a separate file, so that production builds and the landing
 * page do not include the rest of the development session.
 */
export const developmentMarker = {
  isSet: () => read(local, storageKeys.devAuthActive) === 'true',
  set: () => write(local, storageKeys.devAuthActive, 'true'),
  clear: () => write(local, storageKeys.devAuthActive, null),
}
