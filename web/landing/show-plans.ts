import { providerInitials } from '#domain/initials.ts'
import { formatMoney } from '#domain/money.ts'
import { aboutPlan, type ShownPlan } from '#features/home/landing/shown-plans.ts'
import { colorOf } from '#features/plans/providers/name-color.ts'
import { addressOf } from '#lib/language.ts'

/** The attribute of a mark in the template that names its service. */
export const MARK_OF = 'data-mark-of'
/** The attribute of a plan's translated name in the template, with the name in the catalogue. */
export const NAME_OF = 'data-name-of'

const templateOf = (page: ParentNode) =>
  page.querySelector<HTMLTemplateElement>('[data-plan-template]')?.content

/** Returns the name of a catalogue plan in the page's language, which the build has written into the template. */
export function nameIn(page: ParentNode, name: string): string {
  const names = [...(templateOf(page)?.querySelectorAll(`[${NAME_OF}]`) ?? [])]
  return names.find((one) => one.getAttribute(NAME_OF) === name)?.textContent ?? name
}

/**
 * Lists plans in place of the catalogue's prices, each made from the template. Without any plan the prices stay, with a
 * note that says why.
 */
export function showPlans(page: ParentNode, plans: readonly ShownPlan[]): void {
  const section = page.querySelector<HTMLElement>('[data-plans]')
  const parts = templateOf(page)
  if (!section || !parts) return
  section
    .querySelector('[data-list]')
    ?.replaceChildren(...plans.map((plan) => card(parts, { ...plan, name: nameIn(page, plan.name) })))
  section.dataset.state = plans.length > 0 ? 'live' : 'none'
}

function card(parts: DocumentFragment, plan: ShownPlan): Node {
  const item = parts.querySelector('li')?.cloneNode(true) as HTMLElement
  const marks = [...parts.querySelectorAll(`[${MARK_OF}]`)]
  const mark = marks.find((one) => one.getAttribute(MARK_OF) === plan.provider)?.firstElementChild
  const link = item.querySelector('a')
  link?.setAttribute('href', addressOf(`/plans/${plan.id}`))
  if (mark) link?.firstElementChild?.replaceWith(mark.cloneNode(true))
  else drawMonogram(link?.firstElementChild, plan.provider)
  write(item, '[data-provider]', plan.provider)
  write(item, '[data-name]', plan.name)
  write(item, '[data-cost]', formatMoney(plan.cost))
  write(item, '[data-alone]', formatMoney(plan.alone))
  write(item, '[data-about]', aboutPlan(plan))
  return item
}

/**
 * Sets the text of the matching elements, only where it differs, since setting it would clear the reader's selection.
 */
export function write(place: Element, selector: string, text: string): void {
  for (const element of place.querySelectorAll(selector))
    if (element.textContent !== text) element.textContent = text
}

/** Draws the initials of a provider that the build does not know on a neutral mark. */
function drawMonogram(mark: Element | null | undefined, provider: string): void {
  const letters = mark?.firstElementChild
  if (!(mark instanceof HTMLElement) || !(letters instanceof HTMLElement)) return
  mark.style.setProperty('--provider-color', colorOf(provider))
  letters.textContent = providerInitials(provider)
  letters.dataset.letters = String(letters.textContent.length)
}
