import { callFunction } from './functions.ts'

/** The code for stored data that cannot be decrypted: it was changed without the key. */
export const DOES_NOT_OPEN = 'PT422'

export const callVault = (service: string, body: Record<string, unknown>, signal?: AbortSignal) =>
  callFunction(`vault/${service}`, body, signal)
