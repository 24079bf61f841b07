import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AppError, toAppError } from '#lib/errors.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { toastError } from '#ui/toasts.ts'

interface Step {
  status: string
  code?: string | null
  redirectUrl?: string | null
}

/** What the function `payments` answers; its refusals are thrown. */
async function call<Answer = Step>(path: string, body: Record<string, unknown>): Promise<Answer> {
  const { data, error } = await supabase().functions.invoke(`payments/${path}`, { body })
  if (!error) return data
  const context: unknown = error.context
  const said = context instanceof Response ? await context.json().catch(() => null) : null
  throw said
    ? new AppError(said.code ?? 'unknown', said.message ?? said.error ?? error.message)
    : toAppError(error)
}

/** Asks for something about cards or a payment of one's own; afterwards all of it is read again. */
function useStep<Input>(ask: (input: Input) => Promise<unknown>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ask,
    onError: (problem) => toastError('That did not work. Please try again.', toAppError(problem).message),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['cards'] }),
        cache.invalidateQueries({ queryKey: ['payments'] }),
      ]),
  })
}

/** Goes to wherever the person confirms. */
function follow(step: Step): Step {
  if (step.redirectUrl) window.location.assign(step.redirectUrl)
  return step
}

/** To the provider's own page for cards. */
export const useAddCard = () =>
  useStep(async () => {
    const { url } = await call<{ url: string | null }>('setup', {})
    if (url) window.location.assign(url)
  })
export const useKeepCard = () => useStep((setup: string) => call('cards', { setup }))
export const useRemoveCard = () => useStep((id: string) => rpc('remove_card', { p_card_id: id }))
export const useChooseCard = () => useStep((id: string) => rpc('choose_card', { p_card_id: id }))

interface EnteredCard {
  number: string
  expMonth: number
  expYear: number
}
export function useEnterCard(onAnswer: (step: Step) => void) {
  return useStep(async (card: EnteredCard) => onAnswer(follow(await call('simulated/card', { ...card }))))
}

export function usePay(onAnswer: (step: Step) => void) {
  return useStep(async ({ payment, card }: { payment: string; card: string | null }) =>
    onAnswer(follow(await call('pay', { payment, card }))),
  )
}
export const useCheckPayment = () => useStep((payment: string) => call('check', { payment }))
export const useAnswer = (onAnswer: (step: Step) => void) =>
  useStep(async (answer: { id: string; agrees: boolean }) => onAnswer(await call('simulated/answer', answer)))

/** Why a card was not taken, for a person. */
export function whyNot(code: string | null | undefined): string {
  if (code === 'insufficient_funds') return 'There is not enough money on this card.'
  if (code === 'not_a_test_card') return 'This is a simulation: use one of the test cards below.'
  if (code === 'no_card') return 'There is no saved card to pay with.'
  if (code === 'authentication_failed') return 'You did not confirm it.'
  return 'The card was declined. Please use another one.'
}
