import type { Provider } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { exampleShare } from '#domain/showcase.ts'
import { loadCatalogue } from '#features/catalogue/load-catalogue.ts'
import { write } from '#features/landing/calculator.ts'
import { loadShownPlans } from '#features/landing/shown-plans.ts'
import { loadConfig } from '#lib/config.ts'
import { socialLinks } from '#routes/-shell/social-links.ts'
import { showPlans } from './show-plans.ts'

/** What the build could not know: the operator's own pages, the plans people share, and what the stored catalogue asks today. */
export async function bringUpToDate(page: ParentNode): Promise<void> {
  const config = await loadConfig()
  for (const { name, address } of socialLinks(config.socialLinks ?? []))
    page.querySelector(`[data-network="${name}"]`)?.setAttribute('href', address)
  const teaser = page.querySelector<HTMLElement>('[data-teaser]')
  await Promise.all([
    loadShownPlans().then((plans) => showPlans(page, plans)),
    teaser && loadCatalogue().then((providers) => showPrices(teaser, providers)),
  ])
}

/** The services stay those of the page; one that can no longer be shared leaves the example. */
export function showPrices(teaser: HTMLElement, providers: readonly Provider[]): void {
  const rows = [...teaser.querySelectorAll<HTMLElement>('[data-share]')]
  for (const choice of teaser.querySelectorAll('input')) {
    const provider = providers.find(({ name }) => name === choice.value)
    const share = provider && exampleShare(provider)
    const row = rows.find(({ dataset }) => dataset.share === choice.value)
    if (!share) {
      row?.remove()
      choice.closest('label')?.remove()
    } else if (row) {
      const { people, alone, shared, plan } = share
      Object.assign(choice.dataset, { people, alone, shared })
      write(row, '[data-plan]', plan)
      write(row, '[data-alone]', formatMoney(alone))
      write(row, '[data-shared]', formatMoney(shared))
    }
  }
  teaser.hidden = !teaser.querySelector('input')
  teaser.dispatchEvent(new Event('change'))
}
