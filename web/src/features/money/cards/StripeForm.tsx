import { t } from '@lingui/core/macro'
import { Alert, Button, Group, Skeleton, Stack, useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeElementLocale } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { language } from '#lib/language.ts'
import type { PaymentProvider } from '#lib/payments.ts'
import { query } from '#lib/query.ts'
import { LinkButton } from '#ui/links.tsx'
import { useAddCard } from './cards.mutations.ts'

const stripeQuery = (key: string) =>
  query({ key: ['stripe', key], staleTime: Number.POSITIVE_INFINITY, load: () => loadStripe(key) })

/** Stripe's own form, in Stripe's frames, so that card data is sent only to Stripe. */
export function StripeForm({ provider }: { provider: PaymentProvider }) {
  const theme = useMantineTheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const { data: stripe, error } = useQuery({ ...stripeQuery(provider.publishableKey ?? ''), retry: false })
  if (error) return <OutOfReach />
  if (!stripe) return <Skeleton h={240} />
  const clay = theme.colors.clay
  return (
    <Elements
      stripe={stripe}
      options={{
        mode: 'setup',
        currency: 'eur',
        allowedPaymentMethodTypes: [...provider.methods],
        locale: language as StripeElementLocale,
        appearance: {
          theme: isDark ? 'night' : 'stripe',
          variables: {
            fontFamily: 'Inter, system-ui, sans-serif',
            borderRadius: '10px',
            colorPrimary: (isDark ? clay?.[4] : clay?.[7]) ?? '',
            colorBackground: isDark ? '#211b17' : '#ffffff',
            colorText: isDark ? '#f3eae0' : '#2a1f18',
          },
        },
      }}
    >
      <Form />
    </Elements>
  )
}

function Form() {
  const stripe = useStripe()
  const elements = useElements()
  const [state, setState] = useState<'loading' | 'ready' | 'broken'>('loading')
  const [problem, setProblem] = useState<string | null>(null)
  const add = useAddCard(setProblem)
  if (state === 'broken') return <OutOfReach />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (stripe && elements) add.mutate({ stripe, elements })
      }}
    >
      <Stack gap="md">
        {problem && (
          <Alert color="beet" role="alert">
            {problem}
          </Alert>
        )}
        <PaymentElement onReady={() => setState('ready')} onLoadError={() => setState('broken')} />
        <Group>
          <Button type="submit" loading={add.isPending} disabled={state === 'loading'}>
            {t`Save`}
          </Button>
          <Back />
        </Group>
      </Stack>
    </form>
  )
}

/** Shown if the browser, an extension or the network blocks Stripe's script. */
function OutOfReach() {
  return (
    <Stack gap="md">
      <Alert color="beet" role="alert" title={t`Stripe could not be reached`}>
        {t`The form comes from Stripe, and your browser could not load it. Check your connection and whether something blocks js.stripe.com. Nothing was saved.`}
      </Alert>
      <Group>
        <Button onClick={() => window.location.reload()}>{t`Try Again`}</Button>
        <Back />
      </Group>
    </Stack>
  )
}

function Back() {
  return (
    <LinkButton variant="default" to="/cards" search={{}}>
      {t`Back to your cards`}
    </LinkButton>
  )
}
