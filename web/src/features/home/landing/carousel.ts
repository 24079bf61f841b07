import EmblaCarousel from 'embla-carousel'

const DESKTOP = '(min-width: 48em)'
const STEP_ON_A_DESKTOP = 3

/** Turns the row of services into a loop, keeping its scroll position. Returns a function that stops the carousel. */
export function startCarousel(band: HTMLElement): () => void {
  const row = band.querySelector<HTMLElement>('[data-row]')
  const slide = row?.querySelector('li')
  if (!row || !slide) return () => {}
  const passed = Math.round(row.scrollLeft / (slide.offsetWidth || 1))
  row.scrollLeft = 0
  row.dataset.moved = ''
  const carousel = EmblaCarousel(row, {
    loop: true,
    align: 'start',
    duration: 22,
    startIndex: window.matchMedia(DESKTOP).matches ? Math.floor(passed / STEP_ON_A_DESKTOP) : passed,
    breakpoints: {
      [DESKTOP]: { slidesToScroll: STEP_ON_A_DESKTOP },
      '(prefers-reduced-motion: reduce)': { duration: 0 },
    },
  })
  const listeners = new AbortController()
  const ways = { back: () => carousel.scrollPrev(), on: () => carousel.scrollNext() }
  const keys: Record<string, () => void> = { ArrowLeft: ways.back, ArrowRight: ways.on }
  for (const [way, go] of Object.entries(ways))
    band.querySelector(`[data-way="${way}"]`)?.addEventListener('click', go, { signal: listeners.signal })
  band.addEventListener('keydown', ({ key }) => keys[key]?.(), { signal: listeners.signal })
  return () => {
    listeners.abort()
    carousel.destroy()
    delete row.dataset.moved
  }
}
