// The one script of the visitors' page. For a signed-in person it starts the app in place of the page.
import { t } from '@lingui/core/macro'
import { developmentMarker } from '#features/account/auth/development-marker.ts'
import { startCarousel } from '#features/home/landing/carousel.ts'
import { addressOf } from '#lib/language.ts'
import { openIn } from '#lib/language-choice.ts'
import { local, read, write } from '#lib/storage.ts'
import { bringUpToDate } from './bring-up-to-date.ts'

/** The storage key of the colour scheme: Mantine's own, so that the app uses the same choice. */
const SCHEME_KEY = 'mantine-color-scheme-value'

const { dataset } = document.documentElement
if ((import.meta.env.DEV || import.meta.env.MODE === 'preview') && developmentMarker.isSet())
  dataset.returning = ''

// start.js has looked for a session, and has hidden the page if there is one.
if (dataset.returning === undefined) startPage()
else startApp().catch(reportError)

function startPage(): void {
  startSchemes(document)
  startMenu(document)
  for (const choice of document.querySelectorAll<HTMLSelectElement>('select[data-languages]'))
    choice.addEventListener('change', () => openIn(choice.value))
  sayWhenOffline(document)
  for (const band of document.querySelectorAll<HTMLElement>('[data-carousel]')) startCarousel(band)
  // Reloads if a person has signed in since, in another tab or before coming back: the same URL then shows the app.
  const makeWay = () => tokensAreStored() && window.location.reload()
  window.addEventListener('storage', makeWay)
  window.addEventListener('pageshow', ({ persisted }) => persisted && makeWay())
  bringUpToDate(document).catch(reportError)
}

/** The buttons for the colour scheme: light, dark, or that of the device. */
function startSchemes(page: ParentNode): void {
  const device = window.matchMedia('(prefers-color-scheme: dark)')
  const choices = page.querySelectorAll<HTMLInputElement>('input[name="scheme"]')
  const show = () => {
    const kept = read(local, SCHEME_KEY) ?? 'auto'
    dataset.mantineColorScheme = kept === 'auto' ? (device.matches ? 'dark' : 'light') : kept
    for (const choice of choices) choice.checked = choice.value === kept
  }
  const choose = (scheme: string) => {
    write(local, SCHEME_KEY, scheme)
    show()
  }
  show()
  device.addEventListener('change', show)
  window.addEventListener('storage', show)
  for (const choice of choices) choice.addEventListener('change', () => choose(choice.value))
  page
    .querySelector('[data-scheme-button]')
    ?.addEventListener('click', () => choose(dataset.mantineColorScheme === 'dark' ? 'light' : 'dark'))
}

/** The menu opens and closes without a script; this also closes it on Escape, or when the focus leaves it. */
function startMenu(page: ParentNode): void {
  const menu = page.querySelector<HTMLDetailsElement>('details')
  if (!menu) return
  const close = () => {
    menu.open = false
  }
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    close()
    menu.querySelector('summary')?.focus()
  })
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) close()
  })
  // Closes the menu before the page is left, so that people who come back see the page.
  window.addEventListener('pagehide', close)
}

function sayWhenOffline(page: ParentNode): void {
  const notice = page.querySelector<HTMLElement>('[data-offline]')
  const show = () => notice?.toggleAttribute('hidden', navigator.onLine)
  show()
  for (const change of ['online', 'offline']) window.addEventListener(change, show)
  // Without a connection, a link would lead to the browser's own error page, which does not return by itself.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const leaves = link && link.origin === location.origin && link.pathname !== location.pathname
    if (navigator.onLine || !leaves) return
    event.preventDefault()
    window.addEventListener('online', () => location.assign(link.href), { once: true })
  })
}

async function startApp(): Promise<void> {
  const place = document.createElement('div')
  place.id = 'root'
  document.body.replaceChildren(place)
  try {
    await showHome(place)
    await import('../src/main.tsx')
  } catch (problem) {
    place.textContent = t`Potluck could not be loaded. Check your connection and reload the page.`
    throw problem
  }
}

/** Shows the prerendered home page of a signed-in person, with its style sheets, until the app has started. */
async function showHome(place: HTMLElement): Promise<void> {
  const answer = await fetch(addressOf('/home'))
  if (!answer.ok) return
  const home = new DOMParser().parseFromString(await answer.text(), 'text/html')
  document.head.append(...home.querySelectorAll('link[rel=stylesheet], head style'))
  const sight = home.querySelector('[data-first-sight=member]')
  if (!sight) return
  place.append(sight)
  sight.dispatchEvent(new Event('first-sight', { bubbles: true }))
}

function tokensAreStored(): boolean {
  try {
    return Object.keys(window.localStorage).some((key) => /^sb-.*-auth-token$/.test(key))
  } catch {
    return false
  }
}
