// Stripe's form on our own page, with a stand-in for Stripe's script, and with the script blocked.
import { expect, test } from '@playwright/test'
import { openStripeDouble, type StripeDouble } from '../supabase/tests/edge-functions/stripe-double.ts'
import { look } from './look.ts'
import { call, sessionOf } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { signedIn } from './test.ts'

/** A stand-in for Stripe's script: a form in a frame that reports the input to Stripe and then redirects back. */
const SCRIPT = `window.Stripe = () => ({
  createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {}, _registerWrapper() {},
  elements: ({ allowedPaymentMethodTypes }) => ({
    update() {}, submit: async () => ({}), getElement() {},
    create: () => {
      const heard = {}
      return {
        on: (event, tell) => (heard[event] = tell), off() {}, update() {}, destroy() {},
        mount: (place) => {
          place.innerHTML = '<iframe title="Secure payment input frame" src="https://js.stripe.com/form" style="width:100%;border:0"></iframe>'
          place.firstChild.onload = () => heard.ready()
          place.dataset.methods = allowedPaymentMethodTypes
        },
      }
    },
  }),
  confirmSetup: async ({ clientSecret, confirmParams }) => {
    const setup = clientSecret.split('_secret')[0]
    await fetch('https://api.stripe.com/v1/setup_intents/' + setup + '/confirm', { method: 'POST' })
    location.assign(confirmParams.return_url + '?setup_intent=' + setup + '&redirect_status=succeeded')
    return new Promise(() => {})
  },
})`

let stripe: StripeDouble
let potluck: Potluck
test.beforeAll(async () => {
  stripe = await openStripeDouble('whsec_of_a_test')
  potluck = await startPotluck({
    ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_API_URL: stripe.url },
    ...{ STRIPE_WEBHOOK_SECRET: 'whsec_of_a_test', SEPA_CREDITOR_ID: 'DE98ZZZ09999999999' },
    STRIPE_METHODS: 'card,sepa_debit',
  })
})
test.afterAll(async () => {
  await potluck.close()
  stripe.close()
})

test('a bank account is saved in Stripe’s form, which no other page loads; without Stripe the page says so', async ({
  browser,
}) => {
  await call(
    potluck,
    '/functions/v1/payments/tick',
    {},
    { as: await sessionOf(potluck, 'tick@potluck.example') },
  )
  const context = await browser.newContext({
    ...{ baseURL: potluck.url, serviceWorkers: 'block', reducedMotion: 'reduce' },
    storageState: await signedIn(potluck, 'nora@potluck.example'),
  })
  const page = await context.newPage()
  let isBlocked = true
  await page.route('https://js.stripe.com/**', (route) =>
    isBlocked
      ? route.abort()
      : route.request().resourceType() === 'script'
        ? route.fulfill({ contentType: 'text/javascript', body: SCRIPT })
        : route.fulfill({ contentType: 'text/html', body: '<label>IBAN <input /></label>' }),
  )
  await page.route('https://api.stripe.com/**', (route) => {
    stripe.complete(/seti_\w+/.exec(route.request().url())?.[0] ?? '', 'pm_debits_1')
    return route.fulfill({ json: {}, headers: { 'access-control-allow-origin': '*' } })
  })
  const mark = () => page.evaluate(() => document.documentElement.setAttribute('data-same', ''))
  const marked = page.locator('[data-same]')
  const runsStripe = () => page.evaluate(() => 'Stripe' in window)

  await page.goto('/cards')
  await look(page, 'cards-with-stripe')
  await page.getByRole('link', { name: 'Add a card or bank account' }).click()
  await expect(page.getByText('Stripe could not be reached')).toBeVisible()
  await look(page, 'payment-element-blocked')

  isBlocked = false
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.locator('[data-methods]')).toHaveAttribute('data-methods', 'card,sepa_debit')
  await expect(page.frameLocator('iframe[title^=Secure]').getByLabel('IBAN')).toBeVisible()
  await look(page, 'payment-element')
  expect(await runsStripe()).toBe(true)
  await page.getByRole('link', { name: 'Back to your cards' }).click()
  await expect(page.getByText('No cards yet.')).toBeVisible()
  await expect.poll(runsStripe).toBe(false)

  // The page that loads Stripe's script is always a separate document: when entered, when left, and even if it is left
  // while the script still loads.
  await page.goBack()
  await expect(page.frameLocator('iframe[title^=Secure]').getByLabel('IBAN')).toBeVisible()
  const script = '**/js.stripe.com/*/stripe.js'
  await page.route(script, () => {})
  await page.reload()
  await mark()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Browse Plans' }).click()
  await expect(page).toHaveURL(/\/plans$/)
  await expect(marked).toHaveCount(0)
  await page.unroute(script)
  await page.goto('/cards')

  await page.getByRole('link', { name: 'Add a card or bank account' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('SEPA debit, IBAN ending 3000')).toBeVisible()
  await expect(page).toHaveURL(/\/cards$/)
  expect(await runsStripe()).toBe(false)
  await look(page, 'bank-account-saved')
  await context.close()
})
