/** Who gets into the account, and how. Loaded anew as one: a change of one part is news to the others. */
export const SECURITY = ['security'] as const
