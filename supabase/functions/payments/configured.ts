// The payment provider of this installation, determined by its secrets.
import VARIABLES from '../../operator.json' with { type: 'json' }
import { METHODS, type Method, type Provider } from './provider.ts'
import { type Simulation, simulatedProvider } from './simulated.ts'
import { stripeProvider } from './stripe.ts'

interface Configured {
  provider: Provider | Simulation | undefined
  webhookSecret: string | undefined
}

let configured: Configured | undefined

/** Returns the operator's details, by their variables. The value `none` says that the operator has no such detail. */
const operatorDetails = () => new Map(VARIABLES.map((name) => [name, Deno.env.get(name)?.trim() || null]))

/** Returns the site's operator, as the seller on receipts. Throws if other details are set without a name. */
export function configuredSeller() {
  const details = operatorDetails()
  const others = VARIABLES.filter((name) => details.get(name))
  if (!details.get('OPERATOR_NAME') && others.length > 0)
    throw new Error(`${others.join(', ')}: set OPERATOR_NAME beside them`)
  const known = (name: string) => (details.get(name) === 'none' ? null : (details.get(name) ?? null))
  return {
    p_name: known('OPERATOR_NAME'),
    p_address: known('OPERATOR_ADDRESS'),
    p_tax_number: known('OPERATOR_TAX_NUMBER'),
  }
}

/**
 * Throws if the operator's imprint is incomplete. The telephone number is optional, because an imprint without it links
 * to a form.
 */
function requireImprint(): void {
  const missing = [...operatorDetails()].filter(([name, value]) => !value && name !== 'OPERATOR_PHONE')
  if (missing.length > 0)
    throw new Error(
      `Live payments through the site need the operator’s imprint. Missing: ${missing.map(([name]) => name).join(', ')} (write none where there is no register or VAT number)`,
    )
}

/**
 * Returns the payment provider. Throws if Stripe is only partly configured, or if the imprint of a site with live
 * payments is incomplete.
 */
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
  if (provider.mode === 'live') requireImprint()
  return { provider, webhookSecret }
}
