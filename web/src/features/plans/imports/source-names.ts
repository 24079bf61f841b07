/** Where plans can be brought along from. Apart from what reads them, as addresses of the app know these names. */
export const SOURCES = ['spliit', 'splitwise', 'wallos', 'table'] as const
export type Source = (typeof SOURCES)[number]
