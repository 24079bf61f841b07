import { i18n, type Messages } from '@lingui/core'
import { useSyncExternalStore } from 'react'
import { language, messageOf } from '#lib/language.ts'
import { onceOnline } from '#lib/online.ts'

/** Translations of the catalogue's texts, in one file per language, loaded only where such a text is shown. */
const catalogs = import.meta.glob<Messages>('../../../../locales/catalogue/*.po', { import: 'default' })
const load = catalogs[`../../../../locales/catalogue/${language}.po`]

let state: 'missing' | 'loading' | 'known' = load ? 'missing' : 'known'
const watchers = new Set<() => void>()

function watch(watcher: () => void) {
  watchers.add(watcher)
  void loadTexts()
  return () => watchers.delete(watcher)
}

async function loadTexts() {
  if (!load || state !== 'missing') return
  state = 'loading'
  try {
    i18n.load(language, await onceOnline(load))
    state = 'known'
  } catch (problem) {
    // The next page that shows such a text tries again.
    state = 'missing'
    throw problem
  }
  for (const watcher of watchers) watcher()
}

const isKnown = () => state === 'known'
const translate = (english: string): string => i18n._(messageOf(english))

/**
 * Translates a text of the catalogue into the page's language; null until the translations are loaded. A text that
 * staff have written stays in its language.
 */
export const useCatalogueText = () => (useSyncExternalStore(watch, isKnown, isKnown) ? translate : null)
