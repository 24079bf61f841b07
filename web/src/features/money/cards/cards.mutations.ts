import { t } from '@lingui/core/macro'
import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { withAge } from '#lib/age.ts'
import { useChange } from '#lib/change.ts'
import { AppError, toAppError, UNKNOWN } from '#lib/errors.ts'
import { addressOf } from '#lib/language.ts'
import { callPayments as call } from '#lib/payments.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError } from '#ui/toasts.ts'

interface Step {
  status: string
  code?: string | null
  redirectUrl?: string | null
}

/** Runs a request about the person's cards or a payment, then reloads cards and payments. */
const useStep = <Input>(run: (input: Input) => Promise<unknown>) =>
  useChange({
    run,
    stale: [['cards'], ['payments']],
    failed: (problem) => toastError(t`That didn’t work. Please try again.`, toAppError(problem).message),
  })

/** Navigates to the bank's confirmation page, if the step needs one. */
function follow(step: Step): Step {
  if (step.redirectUrl) window.location.assign(step.redirectUrl)
  return step
}

/**
 * Saves the card entered in Stripe's form; Stripe then sends the browser back to the cards page. `onProblem` receives
 * the reason if saving fails.
 */
export const useAddCard = (onProblem: (problem: string | null) => void) =>
  useStep(async ({ stripe, elements }: { stripe: Stripe; elements: StripeElements }) => {
    onProblem(null)
    // Stripe's form shows what is missing.
    if ((await elements.submit()).error) return
    const { secret } = await call<{ secret: string }>('setup')
    const { error } = await stripe.confirmSetup({
      elements,
      clientSecret: secret,
      confirmParams: { return_url: window.location.origin + addressOf('/cards') },
    })
    onProblem(error.message ?? t`Your bank has refused it.`)
  })
/**
 * Adds the payment method that Stripe's form has saved, after asking Stripe for its status. `setup` is the id of
 * Stripe's setup intent.
 */
export const useKeepCard = () =>
  useStep(async (setup: string) => {
    const { status } = await call<Step>('cards', { setup })
    if (status !== 'saved')
      throw new AppError(UNKNOWN, t`Nothing is saved yet. If you have confirmed it, it appears here soon.`)
  })
export const useRemoveCard = () => useStep((id: string) => rpc('remove_card', { p_card_id: id }))
export const useChooseCard = () => useStep((id: string) => rpc('choose_card', { p_card_id: id }))

interface EnteredCard {
  number: string
  expMonth: number
  expYear: number
}
export const useEnterCard = (onAnswer: (step: Step) => void) =>
  useStep(async (card: EnteredCard) => onAnswer(follow(await call<Step>('simulated/card', { ...card }))))

export const usePay = (onAnswer: (step: Step) => void) =>
  useStep(async (wanted: { payment: string; card: string | null }) =>
    onAnswer(follow(await withAge(() => call<Step>('pay', wanted)))),
  )
export const useCheckPayment = () => useStep((payment: string) => call('check', { payment }))
export const useAnswer = (onAnswer: (step: Step) => void) =>
  useStep(async (answer: { id: string; agrees: boolean }) =>
    onAnswer(await call<Step>('simulated/answer', answer)),
  )

/** Explains why a card was declined, by the provider's code. */
export function whyNot(code: string | null | undefined): string {
  if (code === 'insufficient_funds') return t`This card doesn’t have enough money.`
  if (code === 'not_a_test_card') return t`Use one of the numbers below.`
  if (code === 'no_card') return t`You have no saved card.`
  if (code === 'authentication_failed') return t`The payment was not confirmed.`
  return t`Your card was declined. Please use another one.`
}
