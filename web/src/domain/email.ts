/** An address without the spaces that keyboards add. */
export const trimEmail = (typed: string) => typed.trim()

/** A quick test before asking the server, which decides about the rest: an at-sign. */
export const looksLikeEmail = (typed: string) => trimEmail(typed).includes('@')
