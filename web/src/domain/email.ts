/** An address as it is sent: without the spaces a keyboard adds. */
export const trimEmail = (typed: string) => typed.trim()

/** The browser's own test before asking: something, with an at-sign in it. The server judges the rest. */
export const looksLikeEmail = (typed: string) => trimEmail(typed).includes('@')
