// Runs the test double of Stripe in a separate process, adds a card for each person it is sent, and reports its URL.
import { once } from 'node:events'
import { load } from '../scripts/run.mjs'

const { openStripeDouble } = await load('supabase/tests/edge-functions/stripe-double.ts')
const stripe = await openStripeDouble('whsec_bench')
const [people] = await once(process, 'message')
for (const id of people)
  stripe.things.set(`pm_${id}`, {
    ...{ id: `pm_${id}`, object: 'payment_method', type: 'card', customer: `cus_${id}` },
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, country: 'DE' },
  })
process.send(stripe.url)
