import { local, read, storageKeys, write } from '#lib/storage.ts'

/** Says that this browser is in a development session; only a development build ever reads it. */
export const developmentMarker = {
  isSet: () => read(local, storageKeys.devAuthActive) === 'true',
  set: () => write(local, storageKeys.devAuthActive, 'true'),
  clear: () => write(local, storageKeys.devAuthActive, null),
}
