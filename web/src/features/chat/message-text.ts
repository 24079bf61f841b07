/** What may be sent as a chat message (VALID-15), and the name it gets. */

export const LONGEST_MESSAGE = 1000

/** Characters as the database counts them: an emoji that JavaScript stores in two halves is one. */
export function characters(text: string): number {
  return [...text].length
}

/** True when there is something to send and it is not too long. */
export function canSend(text: string): boolean {
  return text.trim() !== '' && characters(text.trim()) <= LONGEST_MESSAGE
}

/** A random UUID. `crypto.randomUUID` is missing on pages served without TLS, which a community may well do at home. */
export function newMessageId(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const [version = 0, variant = 0] = [bytes[6], bytes[8]]
  bytes[6] = (version & 0x0f) | 0x40
  bytes[8] = (variant & 0x3f) | 0x80
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
