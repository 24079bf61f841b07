// The payment provider of this installation, determined by its secrets.
import { METHODS, type Method, type Provider } from './provider.ts'
import { type Simulation, simulatedProvider } from './simulated.ts'
import { stripeProvider } from './stripe.ts'

interface Configured {
  provider: Provider | Simulation | undefined
  webhookSecret: string | undefined
}

let configured: Configured | undefined

/** Returns the payment provider. Throws if Stripe is only partly configured. */
export function configuredProvider(): Configured {
  configured ??= read()
  return configured
}

/** Returns the payment methods that people may save, and the creditor identifier that debits of bank accounts need. */
function configuredMethods(): { methods: Method[]; creditor: string | null } {
  const named = (Deno.env.get('STRIPE_METHODS') || 'card,link').split(',').map((name) => name.trim())
  const methods = METHODS.filter((method) => named.includes(method))
  if (methods.length !== named.length)
    throw new Error(`STRIPE_METHODS lists some of ${METHODS.join(', ')}, separated by commas`)
  const creditor = Deno.env.get('SEPA_CREDITOR_ID')?.trim() || null
  if (methods.includes('sepa_debit') && creditor === null)
    throw new Error('sepa_debit in STRIPE_METHODS needs SEPA_CREDITOR_ID beside it')
  return { methods, creditor }
}

function read(): Configured {
  const secretKey = Deno.env.get('STRIPE_SECRET_KEY')
  // Our server sets SHELTERED if it can be reached only from its own machine.
  const isSheltered = Deno.env.get('SHELTERED') === 'on'
  if (!secretKey) {
    return { provider: isSheltered ? simulatedProvider() : undefined, webhookSecret: undefined }
  }
  const [publishableKey, webhookSecret, siteUrl] = [
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SITE_URL',
  ].map((name) => {
    const value = Deno.env.get(name)
    if (!value) throw new Error(`STRIPE_SECRET_KEY needs ${name} beside it`)
    return value
  }) as [string, string, string]
  const apiUrl = Deno.env.get('STRIPE_API_URL')
  const provider = stripeProvider({
    ...{ secretKey, publishableKey, apiUrl },
    siteUrl: siteUrl.replace(/\/+$/, ''),
    usesAccounts: Deno.env.get('STRIPE_CONNECT') === 'on',
    ...configuredMethods(),
  })
  return { provider, webhookSecret }
}
