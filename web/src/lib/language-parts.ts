// The parts of a language that not everybody reads. Kept apart from language.ts, which the landing page loads.
import { i18n, type Messages } from '@lingui/core'
import { language } from './language.ts'

const catalogParts = {
  visitors: import.meta.glob<Messages>('../../locales/*.po', { import: 'default', query: '?part=visitors' }),
  members: import.meta.glob<Messages>('../../locales/*.po', { import: 'default', query: '?part=members' }),
  later: import.meta.glob<Messages>('../../locales/*.po', { import: 'default', query: '?part=later' }),
  refusals: import.meta.glob<Messages>('../../locales/*.po', { import: 'default', query: '?part=refusals' }),
  staff: import.meta.glob<Messages>('../../locales/*.po', { import: 'default', query: '?part=staff' }),
}

const loadedParts = new Map<string, Promise<void>>()

/** Loads a part of the page's language. The build lets modules with such texts wait for it. */
export function loadTexts(part: keyof typeof catalogParts): Promise<void> | undefined {
  const loadPart = catalogParts[part][`../../locales/${language}.po`]
  const loaded = loadedParts.get(part) ?? loadPart?.().then((texts) => i18n.load(language, texts))
  if (loaded) loadedParts.set(part, loaded)
  return loaded
}
