import { afterEach, expect, test, vi } from 'vitest'

const NAMES = [
  'Premium',
  'Standard with Ads',
  'Premium (2 TB)',
  'Family (annual)',
  'Family + Expansion Pack (12 months)',
  'VPN Plus (2 years)',
  'Plus (5 seats)',
  'Unlimited (12-month term)',
  'Unlimited (cancel monthly)',
  'Amazon Prime annual (Germany, Austria)',
]

async function namesIn(language: string) {
  vi.stubGlobal('LANGUAGE', language)
  vi.resetModules()
  const { planName } = await import('./plan-name.ts')
  return NAMES.map(planName)
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a name keeps what the provider calls its plan; what tells plans apart is said in the page’s language', async () => {
  expect(await namesIn('en')).toEqual(NAMES.with(6, 'Plus (5 people)'))
  expect(await namesIn('de')).toEqual([
    'Premium',
    'Standard with Ads',
    'Premium (2 TB)',
    'Family (jährlich)',
    'Family + Expansion Pack (12 Monate)',
    'VPN Plus (2 Jahre)',
    'Plus (5 Personen)',
    'Unlimited (12 Monate Laufzeit)',
    'Unlimited (monatlich kündbar)',
    'Amazon Prime annual (Deutschland, Österreich)',
  ])
})
