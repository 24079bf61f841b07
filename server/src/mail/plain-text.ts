// Derives the plain-text part of a mail from its HTML.

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Readable text: blocks on lines of their own, a link as `words: address`, no styles, no mark-up. */
export function toPlainText(html: string): string {
  const text = html
    .replace(/<!--[\s\S]*?-->|<!doctype[^>]*>/gi, '')
    .replace(/<(head|style|script|title)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*?\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gi, (_link, href: string, words: string) =>
      describeLink(href, words),
    )
    .replace(/<br\b[^>]*>/gi, '\n')
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<\/?(p|div|h[1-6]|ul|ol|table|section|header|footer|blockquote|hr)\b[^>]*>/gi, '\n\n')
    .replace(/<\/(tr|td|li)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
  return decodeEntities(text)
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function describeLink(href: string, words: string): string {
  const label = words.replace(/<[^>]*>/g, '').trim()
  return label === '' || label === href ? href : `${label}: ${href}`
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]+);/gi, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? entity
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}
