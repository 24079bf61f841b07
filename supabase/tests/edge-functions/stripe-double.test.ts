// The double refuses the same requests as Stripe: those with mistakes, and those that use an idempotency key again for
// something else.
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { InvalidWebhook, readStripeEvent } from '../../functions/payments/stripe-events.ts'
import { openStripeDouble, type StripeDouble, signedEvent } from './stripe-double.ts'
import { refusalOf } from './stripe-parameters.ts'

const INTENT = { amount: '550', currency: 'eur', customer: 'cus_1', metadata: { payment_id: '1' } }
const ACCOUNT = {
  dashboard: 'express',
  configuration: {
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
  },
}

test.each([
  ['POST', '/v1/payment_intents', { ...INTENT, custommer: 'cus_1' }, 'parameter_unknown', 'custommer'],
  ['POST', '/v1/payment_intents', { currency: 'eur' }, 'parameter_missing', 'amount'],
  ['POST', '/v1/payment_intents', { ...INTENT, amount: '5,50' }, 'parameter_invalid_integer', 'amount'],
  ['POST', '/v1/payment_intents', { ...INTENT, customer: '' }, 'parameter_invalid_empty', 'customer'],
  ['POST', '/v1/payment_intents', { ...INTENT, metadata: { of: {} } }, undefined, 'metadata[of]'],
  ['POST', '/v1/payment_intents', { ...INTENT, capture_method: 'at_once' }, undefined, 'capture_method'],
  ['POST', '/v1/payment_intents', { ...INTENT, confirm: 'yes' }, undefined, 'confirm'],
  ['GET', '/v1/refunds', { payment_intent: 'pi_1', limits: '100' }, 'parameter_unknown', 'limits'],
  ['GET', '/v1/balance_transactions', { created: { gte: '1', it: '2' } }, 'parameter_unknown', 'created[it]'],
  ['GET', '/v1/payment_intents/pi_1', { expand: 'latest_charge' }, undefined, 'expand'],
  ['GET', '/v1/payment_intents/pi_1', { expand: ['latest_charge.balance'] }, undefined, 'expand'],
  ['POST', '/v1/transfers', { currency: 'eur', amount: '5' }, 'parameter_missing', 'destination'],
  ['POST', '/v1/transfers/tr_1/reversals', { sum: '5' }, 'parameter_unknown', 'sum'],
  ['POST', '/v1/checkout/sessions', { mode: 'set-up' }, undefined, 'mode'],
  ['POST', '/v2/core/accounts', { ...ACCOUNT, dashboard: 'fast' }, undefined, 'dashboard'],
  [
    'POST',
    '/v2/core/accounts',
    { configuration: { receiver: {} } },
    'parameter_unknown',
    'configuration[receiver]',
  ],
  ['GET', '/v2/core/accounts/acct_1', { include: ['requirement'] }, undefined, 'include[0]'],
])('%s %s %j is refused', (verb, path, params, code, param) => {
  expect(refusalOf(verb, path, params)?.body.error).toMatchObject({ ...(code && { code }), param })
})

test('what is right is not refused; what Stripe does not serve is', () => {
  expect(refusalOf('POST', '/v1/payment_intents', INTENT)).toBeUndefined()
  expect(refusalOf('GET', '/v1/balance_transactions', { expand: ['data.source'] })).toBeUndefined()
  expect(refusalOf('POST', '/v2/core/accounts', ACCOUNT)).toBeUndefined()
  expect(refusalOf('POST', '/v1/payment_intent', INTENT)?.status).toBe(404)
})

describe('a key of an earlier request', () => {
  let double: StripeDouble
  beforeAll(async () => {
    double = await openStripeDouble('whsec')
  })
  afterAll(() => double.close())
  const post = async (path: string, body: string) => {
    const init = { method: 'POST', body, headers: { 'idempotency-key': 'once' } }
    const answer = await fetch(`${double.url}${path}`, init)
    return { status: answer.status, body: await answer.json() }
  }

  it('gets the same answer for the same request, and an error for any other; a refused one uses none up', async () => {
    expect(await post('/v1/customers', 'e_mail=a')).toMatchObject({
      status: 400,
      body: { error: { param: 'e_mail' } },
    })
    const first = await post('/v1/customers', 'metadata[user_id]=1')
    expect(first.status).toBe(200)
    expect(await post('/v1/customers', 'metadata[user_id]=1')).toEqual(first)
    const misused = { status: 400, body: { error: { type: 'idempotency_error' } } }
    expect(await post('/v1/customers', 'metadata[user_id]=2')).toMatchObject(misused)
    expect(await post('/v1/payment_intents', 'amount=550&currency=eur')).toMatchObject(misused)
  })
})

describe('an event of Stripe', () => {
  const read = (raw: string, signature: string, secret: string) =>
    readStripeEvent(raw, signature, { secret, isLive: false })

  it('is refused if nobody but the sender knows a secret: behind a last comma is none', async () => {
    const { body } = await signedEvent('refund.updated', {}, { secret: 'whsec_a' })
    const now = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', '').update(`${now}.${body}`).digest('hex')
    for (const secrets of ['whsec_a,', ' ,whsec_a', ',', ''])
      await expect(read(body, `t=${now},v1=${signature}`, secrets)).rejects.toThrow(InvalidWebhook)
  })

  it('is not believed where signatures cannot be checked', async () => {
    const { body, headers } = await signedEvent('refund.updated', {}, { secret: 'whsec_a' })
    expect(await read(body, headers['stripe-signature'], 'whsec_a,')).toMatchObject({
      type: 'refund.updated',
    })
    const { signature } = Stripe.webhooks
    Stripe.webhooks.signature = null
    try {
      await expect(read(body, headers['stripe-signature'], 'whsec_a')).rejects.toThrow(
        'cannot check signatures',
      )
    } finally {
      Stripe.webhooks.signature = signature
    }
  })
})

test('npm run test:stripe says that it skips without a key, and refuses one that moves money', () => {
  const run = (STRIPE_SECRET_KEY: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../../scripts/stripe.mjs')], {
      ...{ env: { ...process.env, STRIPE_SECRET_KEY }, encoding: 'utf8' },
    })
  expect(run('')).toMatchObject({ status: 0, stdout: expect.stringContaining('Skipped') })
  expect(run('sk_live_1')).toMatchObject({ status: 1, stderr: expect.stringContaining('real money') })
})
