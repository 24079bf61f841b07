/** The query key of everything about signing in. Reloaded as one, since a change of one part may affect others. */
export const SECURITY = ['security'] as const
