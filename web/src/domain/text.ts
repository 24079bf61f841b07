const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu

/** The number of visible characters, without surrounding space. Same as private.visible_length(). */
export function visibleLength(text: string): number {
  return [...text.replace(UNSEEN, '').trim()].length
}

/** An address without the spaces that keyboards add. */
export const trimEmail = (typed: string) => typed.trim()

/** A quick test before asking the server, which decides about the rest: an at-sign. */
export const looksLikeEmail = (typed: string) => trimEmail(typed).includes('@')
