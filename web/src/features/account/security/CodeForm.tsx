import { t } from '@lingui/core/macro'
import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Session } from '@supabase/supabase-js'
import { useState } from 'react'
import { toAppError } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { enterCode, enterRecoveryCode } from './second-factor.mutations.ts'

const KINDS = {
  app: { label: t`Code from your authenticator app`, other: t`Use a recovery code` },
  recovery: { label: t`Recovery code`, other: t`Use my authenticator app` },
} as const

/** The second step of signing in: asks for a code. The surrounding screen reacts once the session is complete. */
export function CodeForm({ session }: { session: Session }) {
  const [kind, setKind] = useState<keyof typeof KINDS>('app')
  const [working, setWorking] = useState(false)
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? t`Enter the code` : null) },
  })
  const { label, other } = KINDS[kind]
  const factors = session.user.factors ?? []
  const app = factors.find(({ factor_type: type, status }) => type === 'totp' && status === 'verified')
  const hasCodes = factors.some(({ factor_type: type }) => type === 'recovery_code')

  const submit = async ({ code }: { code: string }) => {
    setWorking(true)
    try {
      await (kind === 'app' ? enterCode(app?.id ?? '', code) : enterRecoveryCode(code))
    } catch (problem) {
      const { code: reason, message } = toAppError(problem)
      const isWrong = reason === 'mfa_verification_failed'
      form.setFieldError('code', isWrong ? t`This code is wrong, expired or already used` : message)
      setWorking(false)
    }
  }
  const change = () => {
    form.reset()
    setKind(kind === 'app' ? 'recovery' : 'app')
  }

  return (
    <form noValidate onSubmit={form.onSubmit((values) => void submit(values))}>
      <Stack gap="md">
        <TextInput
          key={kind}
          label={label}
          name="code"
          autoComplete="one-time-code"
          inputMode={kind === 'app' ? 'numeric' : 'text'}
          autoFocus
          {...form.getInputProps('code')}
        />
        <Button type="submit" variant="primary" fullWidth loading={working}>
          {t`Continue`}
        </Button>
        {hasCodes && (
          <Anchor component="button" type="button" size="sm" py={10} onClick={change}>
            {other}
          </Anchor>
        )}
        <Anchor
          component="button"
          type="button"
          size="sm"
          py={10}
          onClick={() => void supabase().auth.signOut({ scope: 'local' })}
        >
          {t`Use another account`}
        </Anchor>
      </Stack>
    </form>
  )
}
