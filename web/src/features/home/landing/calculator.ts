import { plural } from '@lingui/core/macro'
import { formatMoney } from '#domain/money.ts'
import { addUpSavings } from '#domain/showcase.ts'

export const peopleText = (others: number) => plural(others, { one: '# person', other: '# people' })

/** Adds up the savings of the selected services on every change. Returns a function that stops the calculator. */
export function startCalculator(teaser: HTMLElement): () => void {
  const addUp = () => show(teaser)
  teaser.addEventListener('change', addUp)
  // The selection may have changed before this script was loaded.
  addUp()
  return () => teaser.removeEventListener('change', addUp)
}

function show(teaser: HTMLElement): void {
  const chosen = [...teaser.querySelectorAll<HTMLInputElement>('input:checked')]
  const { monthly, yearly, others, percent } = addUpSavings(
    chosen.map(({ dataset }) => ({
      people: Number(dataset.people),
      alone: Number(dataset.alone),
      shared: Number(dataset.shared),
    })),
  )
  const sums = {
    monthly: formatMoney(monthly),
    yearly: formatMoney(yearly),
    people: peopleText(others),
    percent: String(percent),
  }
  for (const [name, sum] of Object.entries(sums)) write(teaser, `[data-sum="${name}"]`, sum)
  const names = chosen.map(({ value }) => value)
  for (const row of teaser.querySelectorAll<HTMLElement>('[data-share]'))
    row.hidden = !names.includes(row.dataset.share ?? '')
  for (const none of teaser.querySelectorAll<HTMLElement>('[data-none]')) none.hidden = chosen.length > 0
  for (const bar of teaser.querySelectorAll('progress')) bar.value = Math.min(100, percent)
  for (const [place, person] of teaser.querySelectorAll<HTMLElement>('[data-others] > *').entries())
    person.hidden = place >= others
}

/**
 * Sets the text of the matching elements, only where it differs, since setting it would clear the reader's selection.
 */
export function write(place: Element, selector: string, text: string): void {
  for (const element of place.querySelectorAll(selector))
    if (element.textContent !== text) element.textContent = text
}
