const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Returns the number of visible characters, not counting white space at the start and end, as private.visible_length()
 * does.
 */
export function visibleLength(text: string): number {
  return [...text.replace(UNSEEN, '').trim()].length
}

export const trimEmail = (typed: string) => typed.trim()

/**
 * The first part of an email address, used as the name of an account that has none. Same as private.name_of_address(),
 * except for unusual addresses.
 */
export const nameOfAddress = (email: string) => trimEmail(email).split('@', 1)[0] ?? ''

/** The first word of a name. Same as private.first_name(). */
export const firstName = (name: string) => name.trim().split(' ', 1)[0] ?? ''

/** A quick test for an at sign before the request; the server checks everything else. */
export const looksLikeEmail = (typed: string) => trimEmail(typed).includes('@')
