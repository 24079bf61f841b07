// Checks one state of a screen against the general requirements, in both colour schemes.
import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { expectToFitPhones } from './fit.ts'
import { snap, WIDTHS } from './screenshots.ts'

type Size = keyof typeof WIDTHS
type Scheme = 'light' | 'dark'

/**
 * True if every state is checked in every width and scheme. Otherwise every state is checked once, and in the dark
 * scheme only where a test requests it.
 */
const everywhere = process.env.TEST_DEEP !== undefined || process.env.SCREENSHOTS !== undefined

const softly = expect.configure({ soft: true })

/**
 * Expects no findings of the accessibility checker, best practices included, and nothing that does not fit.
 * SCREENSHOTS=1 takes pictures.
 */
export async function look(
  page: Page,
  name: string,
  {
    sizes = ['phone', 'desktop'],
    schemes = everywhere ? ['light', 'dark'] : ['light'],
  }: { sizes?: Size[]; schemes?: Scheme[] } = {},
): Promise<void> {
  const own = page.viewportSize()
  // After a change of page, the new title is set a moment later.
  if (new URL(page.url()).pathname !== '/') await softly(page, name).toHaveTitle(/ · Potluck$/)
  // The dark scheme changes no layout; widths between phone and desktop are for the deep tier.
  const seen = (scheme: Scheme) =>
    everywhere ? sizes : scheme === 'dark' ? sizes.slice(-1) : sizes.filter((size) => size !== 'tablet')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const size of seen(scheme)) {
      await page.setViewportSize(WIDTHS[size])
      const check = everywhere || scheme === 'dark' || size === sizes[0]
      const found = await page.evaluate(inspect, { scheme, check })
      expect.soft(found, `${name} at ${WIDTHS[size].width} px, ${scheme}`).toEqual([])
      if (process.env.SCREENSHOTS) await snap(page, `${scheme}-${name}`, WIDTHS[size])
    }
  }
  await expectToFitPhones(page, name)
  if (own) await page.setViewportSize(own)
}

/** Checks every path in turn, once it has loaded. */
export async function lookAt(page: Page, addresses: Record<string, string>): Promise<void> {
  for (const [name, address] of Object.entries(addresses)) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await look(page, name)
  }
}

/** Runs in the page, once it is stable. Returns its problems; the dark scheme is only checked for colours. */
async function inspect({ scheme, check }: { scheme: Scheme; check: boolean }): Promise<string[]> {
  const html = document.documentElement
  const coming = () =>
    html.dataset.mantineColorScheme !== scheme ||
    // A screen's code and data arrive after the URL has changed; every screen has a heading once they are there.
    document.querySelector('h1') === null ||
    document.querySelector('[data-skeleton], .mantine-Skeleton-root') !== null ||
    // Ignores spinners, whose animation never ends.
    document.getAnimations().some((moving) => Number.isFinite(moving.effect?.getComputedTiming().endTime))
  for (const started = performance.now(); coming(); await new Promise(requestAnimationFrame))
    if (performance.now() - started > 30_000) return ['It does not come to rest']
  // With reduced motion, only spinners may move continuously. Reads the animations before the accessibility checker
  // runs: during that second, other parts may load.
  const moving = document
    .getAnimations()
    .filter((one) => one instanceof CSSAnimation)
    .filter(({ effect }) => !(effect as KeyframeEffect).target?.closest('.mantine-Loader-root'))
    .map(({ animationName }) => `It moves: ${animationName}`)
  const { axe: checker } = window as unknown as { axe: typeof axe }
  const only = scheme === 'dark' && { runOnly: ['color-contrast', 'link-in-text-block'] }
  const rules = { 'target-size': { enabled: true } }
  const { violations } = check
    ? await checker.run({ resultTypes: ['violations'], rules, ...only })
    : { violations: [] }
  // Ignores targets under a bar, which become free by scrolling, and targets under a dialog or menu, which become
  // visible once it closes.
  const opened = '[role="dialog"], [role="menu"], [role="listbox"]'
  const layerOf = (element: Element | null): Element | null =>
    !element || element.matches(opened) || /fixed|sticky/.test(getComputedStyle(element).position)
      ? element
      : layerOf(element.parentElement)
  const isUnderLayer = ({ any, target: [selector] }: axe.NodeResult) => {
    const target = document.querySelector(String(selector))
    const isAbove = (layer: Element | null) =>
      layer !== null && !layer.contains(target) && (layer.matches(opened) || layerOf(target) === null)
    return any.some(
      ({ relatedNodes: near = [] }) =>
        near.length > 0 &&
        near.every((one) => isAbove(layerOf(document.querySelector(String(one.target[0]))))),
    )
  }
  return [
    ...moving,
    ...(html.scrollWidth > window.innerWidth ? [`It is ${html.scrollWidth} px wide`] : []),
    ...violations.flatMap(({ id, impact, nodes }) => {
      const found = nodes.filter((node) => !(id === 'target-size' && isUnderLayer(node)))
      return found.length > 0
        ? [`${id} (${impact}): ${found.map((node) => node.html.slice(0, 160)).join(' | ')}`]
        : []
    }),
  ]
}
