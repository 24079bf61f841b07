/** At most two letters for a person without a picture: the first letters of the first and last word. */
export function initials(name: string): string {
  const words = name
    .replace(/@.*$/, '')
    .split(/[\s._-]+/)
    .filter(Boolean)
  const first = words[0]
  if (!first) return '?'
  const last = words.length > 1 ? words.at(-1) : undefined
  return [first, last]
    .map((word) => (word ? [...word][0] : ''))
    .join('')
    .toUpperCase()
}

/** Letters in place of a provider's logo: the initials of its first two words, unless the second is a number. (R11) */
export function providerInitials(name: string): string {
  const [first = '', second = ''] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return `${first.charAt(0)}${/^\p{L}/u.test(second) ? second.charAt(0) : ''}`.toUpperCase()
}
