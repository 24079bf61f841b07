// The page built ahead: when the app comes to it, and what it leaves to the app.

/** As long as a tab in the background, which paints nothing, or a busy browser is waited for, in ms. */
const PATIENCE = 2000

/** Files that the page names and does not load by itself. */
const later = () => document.querySelectorAll<HTMLLinkElement>('link[data-later]')

/** Loads what the app consists of, without running it, once the page has loaded, was painted and is at rest. */
export async function loadAtRest(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((done) => window.addEventListener('load', done, { once: true }))
  await Promise.race([painted(), new Promise((done) => setTimeout(done, PATIENCE))])
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'undefined') await new Promise((done) => setTimeout(done, 200))
  else await new Promise((done) => requestIdleCallback(done, { timeout: PATIENCE }))
  loadLater()
}

export function loadLater(): void {
  for (const link of later()) {
    link.href = link.dataset.file ?? ''
    link.rel = link.dataset.later ?? ''
  }
}

/** Brings the app's style sheets into force; until the app stands there, the page has all it needs. */
export function applyLaterStyles(): void {
  for (const link of later()) if (link.rel === 'stylesheet') link.media = 'all'
}

const painted = () =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))

const SIGNS = ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin', 'click']

/** Resolves when somebody begins to use the page, or sees figures in it that may have changed since it was built. */
export async function begunToUse(place: HTMLElement): Promise<void> {
  const heard = new AbortController()
  await new Promise<unknown>((done) => {
    for (const sign of SIGNS) window.addEventListener(sign, done, { passive: true, signal: heard.signal })
    const figures = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && done(true),
    )
    for (const element of place.querySelectorAll('[data-figures]')) figures.observe(element)
    heard.signal.addEventListener('abort', () => figures.disconnect())
  })
  heard.abort()
}

/** Remembers the control that was pressed before the app was there to answer; gives the way to press it again. */
export function rememberPress(place: HTMLElement): () => void {
  const controls = () => [...place.querySelectorAll<HTMLElement>('button, input')]
  const heard = new AbortController()
  let pressed = -1
  const remember = ({ target }: Event) => {
    const control = target instanceof Element ? target.closest<HTMLElement>('button, input') : null
    if (control) pressed = controls().indexOf(control)
  }
  place.addEventListener('click', remember, { signal: heard.signal })
  return () => {
    heard.abort()
    // Parts that measure themselves answer from the frame after the one they first stand in.
    void painted().then(() => {
      controls()[pressed]?.click()
      pressed = -1
    })
  }
}
