/**
 * The secret of a place that its guest wants to keep in an account. It waits in this browser, not in an address, while
 * they sign in or confirm their new account.
 */
import { local, read, storageKeys, write } from '#lib/storage.ts'

export const rememberPlace = (secret: string): void => write(local, storageKeys.placeSecret, secret)
export const recallPlace = (): string | null => read(local, storageKeys.placeSecret)
export const forgetPlace = (): void => write(local, storageKeys.placeSecret, null)
