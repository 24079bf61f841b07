import { local, storageKeys, write } from '#lib/storage.ts'

/** Clears the marker of a development session (AUTH-24, AUTH-25). */
export function forgetDevelopmentSession(): void {
  write(local, storageKeys.devAuthActive, null)
}
