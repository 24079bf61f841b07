import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { languagePrefix } from '#lib/language.ts'
import { loadedAt, restoredOnScreen } from '#lib/loaded-at.ts'
import { currentSession, currentSessionId } from '#lib/session.ts'
import { keysLike, lastSightKey, local, readJson, write } from '#lib/storage.ts'
import type { AppRouter } from '#router.ts'
import { ageWords } from '#ui/OfflineNotice.tsx'

/** How many pages are kept, each of some 100 KB. */
const MOST = 6
/** How long a page must have been at rest before it is stored, in ms. */
const REST = 1500
/** Of the app's own page, what start.js has anyway: the theme's variables. */
const THEME = 'style[data-mantine-styles="true"], style[data-mantine-styles="classes"]'

/**
 * Stores what a signed-in person sees on pages with `keepsSight`, as markup. At their next visit start.js shows it, with
 * its age, before any script of the app has loaded; the app replaces it.
 */
export function useLastSight(): void {
  const cache = useQueryClient()
  const router = useRouter() as unknown as AppRouter
  useEffect(() => {
    let resting: ReturnType<typeof setTimeout> | undefined
    const save = () => storeSight(cache, router)
    const saveAtRest = () => {
      clearTimeout(resting)
      resting = setTimeout(() => (window.requestIdleCallback ?? setTimeout)(save), REST)
    }
    const leave = () => document.hidden && save()
    document.addEventListener('visibilitychange', leave)
    window.addEventListener('pagehide', save)
    const unsubscribe = cache.getQueryCache().subscribe(({ type }) => type === 'updated' && saveAtRest())
    const unfollow = router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && save())
    return () => {
      clearTimeout(resting)
      document.removeEventListener('visibilitychange', leave)
      window.removeEventListener('pagehide', save)
      unsubscribe()
      unfollow()
    }
  }, [cache, router])
}

function storeSight(cache: QueryClient, router: AppRouter): void {
  const root = document.getElementById('root')
  const { matches, resolvedLocation, status } = router.state
  const queries = cache.getQueryCache().findAll({ type: 'active' })
  if (!root || !resolvedLocation || status !== 'idle' || !matches.at(-1)?.staticData.keepsSight) return
  if (currentSession().status !== 'signed-in' || restoredOnScreen(cache).length > 0) return
  if (queries.some(({ state }) => state.status !== 'success')) return
  const key = lastSightKey(languagePrefix + resolvedLocation.pathname, resolvedLocation.searchStr)
  const at = loadedAt(cache)
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  const sight = {
    session: currentSessionId(),
    at,
    sheets: sheets.map(({ href }) => new URL(href).pathname),
    markup: markupOf(root, at),
  }
  forgetOldest(key)
  write(local, key, JSON.stringify(sight))
}

/** The page as it stands, without anything typed; nothing in it but links works. */
function markupOf(root: HTMLElement, at: number): string {
  const page = root.cloneNode(true) as HTMLElement
  for (const style of page.querySelectorAll(THEME)) style.remove()
  for (const part of page.querySelectorAll('button, input, select, textarea')) {
    part.toggleAttribute('inert', true)
    part.removeAttribute('value')
    if (part instanceof HTMLTextAreaElement) part.textContent = ''
  }
  const age = page.querySelector<HTMLElement>('[data-age]')
  if (age) {
    age.hidden = false
    age.textContent = ageWords(at)
  }
  return page.innerHTML
}

/** Makes room for another page. */
function forgetOldest(next: string): void {
  const kept = keysLike(local, /^last-sight:/)
    .filter((key) => key !== next)
    .map((key) => ({ key, at: readJson(local, key, (sight) => Number(Object(sight).at ?? 0)) }))
    .sort((one, other) => other.at - one.at)
  for (const { key } of kept.slice(MOST - 1)) write(local, key, null)
}
