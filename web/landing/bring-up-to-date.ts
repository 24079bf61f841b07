import type { Provider } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { addUpSavings, exampleShare } from '#domain/showcase.ts'
import { peopleText, TODAYS_PRICES } from '#features/home/landing/parts.ts'
import { loadShownPlans } from '#features/home/landing/shown-plans.ts'
import { loadCatalogue } from '#features/plans/catalogue/load-catalogue.ts'
import { loadFeeRate } from '#features/plans/catalogue/load-fee-rate.ts'
import { loadConfig } from '#lib/config.ts'
import { socialLinks } from '#routes/-shell/social-links.ts'
import { nameIn, showPlans, write } from './show-plans.ts'

/** Replaces what the build could not know: the operator's links, the shared plans, and today's prices of places. */
export async function bringUpToDate(page: ParentNode): Promise<void> {
  const config = await loadConfig()
  for (const { name, address } of socialLinks(config.socialLinks ?? []))
    page.querySelector(`[data-network="${name}"]`)?.setAttribute('href', address)
  await Promise.all([
    loadShownPlans().then((plans) => showPlans(page, plans)),
    Promise.all([loadCatalogue(), loadFeeRate()]).then((known) => showPrices(page, ...known)),
  ])
}

/**
 * Updates the prices of the services on the page. A service that can no longer be shared is removed from the examples.
 */
export function showPrices(page: ParentNode, providers: readonly Provider[], feeRate: number): void {
  const shareOf = (service: string | undefined) => {
    const provider = providers.find(({ name }) => name === service)
    return provider && exampleShare(provider, feeRate)
  }
  for (const row of page.querySelectorAll<HTMLElement>('[data-share]')) {
    const share = shareOf(row.dataset.share)
    if (!share) row.remove()
    else {
      write(row, '[data-plan], [data-name]', nameIn(page, share.plan))
      write(row, '[data-alone]', formatMoney(share.alone))
      write(row, '[data-shared], [data-cost]', formatMoney(share.shared))
    }
  }
  for (const note of page.querySelectorAll('[data-prices]')) note.textContent = TODAYS_PRICES
  for (const teaser of page.querySelectorAll<HTMLElement>('[data-teaser]')) {
    const rows = [...teaser.querySelectorAll<HTMLElement>('[data-share]')]
    const { monthly, yearly, others, percent } = addUpSavings(
      rows.flatMap(({ dataset }) => shareOf(dataset.share) ?? []),
    )
    write(teaser, '[data-sum="monthly"]', formatMoney(monthly))
    write(teaser, '[data-sum="yearly"]', formatMoney(yearly))
    write(teaser, '[data-sum="people"]', peopleText(others))
    write(teaser, '[data-sum="percent"]', String(percent))
    for (const bar of teaser.querySelectorAll('progress')) bar.value = Math.min(100, percent)
    const people = Array.from({ length: others }, () => document.createElement('span'))
    teaser.querySelector('[data-others]')?.replaceChildren(...people)
    teaser.hidden = rows.length === 0
  }
}
