// `npm run test:stripe`: runs the payment story against Stripe itself, in a sandbox whose key is in STRIPE_SECRET_KEY.
import { ensureInstalled, fail, run } from './install.mjs'

const { STRIPE_SECRET_KEY: key, ...env } = process.env
if (!key) {
  console.log(
    'Skipped: nothing was tried at Stripe, because STRIPE_SECRET_KEY is not set to a sandbox’s key (sk_test_…).',
  )
  process.exit(0)
}
if (!/^[sr]k_test_/.test(key))
  fail('STRIPE_SECRET_KEY is no key of a sandbox (sk_test_…): with any other one this would move real money.')
ensureInstalled()
const file = 'supabase/tests/edge-functions/payments-story.test.ts'
const args = ['--no-install', 'vitest', 'run', '--project', 'database', file]
process.exit(run('npx', args, { env: { ...env, STRIPE_SANDBOX_KEY: key } }) ? 0 : 1)
