/** The key of everything about signing in. Reloaded as one, since a change of one part may affect the others. */
export const SECURITY = ['security'] as const
