/** The sources of imports. In a separate file from their readers, since routes need only the names. */
export const SOURCES = ['spliit', 'splitwise', 'wallos', 'table'] as const
export type Source = (typeof SOURCES)[number]
