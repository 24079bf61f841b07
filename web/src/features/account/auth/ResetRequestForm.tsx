import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { looksLikeEmail } from '#domain/text.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { SentNotice } from '#ui/SentNotice.tsx'
import { sayInvalidEmail, sayResetFailed } from './auth.messages.ts'
import { sendPasswordReset } from './auth.mutations.ts'

/** Sends the reset mail. Says the same whether or not the address has an account. */
export function ResetRequestForm() {
  const form = useForm({ initialValues: { email: '' } })
  const [state, setState] = useState<'idle' | 'working' | 'sent'>('idle')

  const submit = async () => {
    if (!looksLikeEmail(form.values.email)) {
      form.setFieldError('email', true)
      sayInvalidEmail()
      return
    }
    setState('working')
    try {
      await sendPasswordReset(form.values.email)
      setState('sent')
    } catch (problem) {
      setState('idle')
      sayResetFailed(problem)
    }
  }

  return (
    <form noValidate onSubmit={form.onSubmit(() => void submit())}>
      {state === 'sent' && <SentNotice />}
      <Stack gap="md">
        <EmailInput {...form.getInputProps('email')} />
        <Button type="submit" variant="primary" fullWidth loading={state === 'working'}>
          {state === 'sent' ? 'Send it again' : 'Send reset link'}
        </Button>
      </Stack>
    </form>
  )
}
