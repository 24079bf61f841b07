import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { MAILED_CODE_HOURS } from '@potluck/supabase/limits'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { isStrongPassword } from '#domain/password-strength.ts'
import { toAppError } from '#lib/errors.ts'
import { useSession } from '#lib/session.ts'
import { rpc } from '#lib/supabase.ts'
import { claimsOf } from '#lib/token.ts'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SentNotice } from '#ui/SentNotice.tsx'
import { sayCodeFailed, sayPasswordChanged, sayPasswordFailed, sayProgramsRemain } from './auth.messages.ts'
import { mailCode, setNewPassword } from './auth.mutations.ts'
import { PasswordStrength } from './PasswordStrength.tsx'

/** The proof of identity to ask for. None is needed right after the person opened a link from a mail. */
type Proof = 'none' | 'password' | 'code'

const mailedSchema = z.object({ amr: z.array(z.object({ method: z.string() })) })

/**
 * The form to set a new password, under the same rules as at sign-up. It asks for the current password or a code from
 * the person's mail.
 */
export function NewPasswordForm() {
  const session = useSession()
  const token = session.status === 'signed-in' ? session.session.access_token : ''
  const [proof, setProof] = useState<Proof>(() => (cameByMail(token) ? 'none' : 'password'))
  const [working, setWorking] = useState<'saving' | 'mailing' | null>(null)
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { shown: '', password: '', confirmation: '', programs: true },
    validate: {
      shown: (shown) =>
        proof === 'none' || shown
          ? null
          : { password: t`Enter your current password`, code: t`Enter the code` }[proof],
      password: (password) =>
        isStrongPassword(password) ? null : t`Password does not meet security requirements`,
      confirmation: (confirmation, { password }) =>
        confirmation === password ? null : t`Passwords don't match`,
    },
  })

  const askFor = (next: Proof) => {
    form.setFieldValue('shown', '')
    setProof(next)
  }
  const sendCode = async () => {
    setWorking('mailing')
    try {
      await mailCode()
      askFor('code')
    } catch (problem) {
      sayCodeFailed(problem)
    }
    setWorking(null)
  }
  const save = async ({ shown, password, programs }: typeof form.values) => {
    setWorking('saving')
    try {
      const shownAs = {
        none: undefined,
        password: { current_password: shown },
        code: { nonce: shown.trim() },
      }
      await setNewPassword(password, shownAs[proof])
      if (programs) await rpc('disconnect_programs', {}).then(sayPasswordChanged, sayProgramsRemain)
      else sayPasswordChanged()
      await navigate({ to: '/', replace: true })
    } catch (problem) {
      const { code, message } = toAppError(problem)
      if (code === 'current_password_required') askFor('password')
      // Some Supabase projects accept only a mailed code when the sign-in is too old.
      else if (code === 'reauthentication_needed') return sendCode()
      else if (code === 'current_password_invalid' || code === 'reauthentication_not_valid')
        form.setFieldError('shown', message)
      else sayPasswordFailed(problem)
      setWorking(null)
    }
  }

  return (
    <form noValidate onSubmit={form.onSubmit((values) => void save(values))}>
      {/* Tells password managers which account the new password belongs to. */}
      <input
        type="email"
        name="username"
        autoComplete="username"
        value={session.status === 'signed-in' ? session.user.email : ''}
        readOnly
        hidden
      />
      <Stack gap="md">
        {proof === 'password' && (
          <div>
            <PasswordField
              label={t`Current password`}
              name="current-password"
              autoComplete="current-password"
              {...form.getInputProps('shown')}
            />
            <Text size="sm" mt={4}>
              <Trans>
                Forgot it, or never set one?{' '}
                <Anchor
                  component="button"
                  type="button"
                  inherit
                  py={10}
                  disabled={working !== null}
                  onClick={() => void sendCode()}
                >
                  Email me a code
                </Anchor>
              </Trans>
            </Text>
          </div>
        )}
        {proof === 'code' && (
          <>
            <SentNotice>{t`Enter the code we sent you. It works for ${plural(MAILED_CODE_HOURS, { one: '# hour', other: '# hours' })}.`}</SentNotice>
            <TextInput
              label={t`Code`}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              {...form.getInputProps('shown')}
            />
          </>
        )}
        <PasswordField
          label={t`New password`}
          name="new-password"
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordStrength password={form.values.password} />
        <PasswordField
          label={t`Confirm new password`}
          name="confirm-password"
          autoComplete="new-password"
          {...form.getInputProps('confirmation')}
        />
        <Checkbox
          label={t`Also disconnect programs`}
          description={t`Tokens, webhooks and the link of your calendar stop working.`}
          {...form.getInputProps('programs', { type: 'checkbox' })}
        />
        <Button
          type="submit"
          variant="primary"
          fullWidth
          loading={working === 'saving'}
          disabled={working === 'mailing'}
        >
          {t`Save password`}
        </Button>
      </Stack>
    </form>
  )
}

/** True if the session began with a link from a mail, which proves that the person can read that mailbox. */
function cameByMail(token: string): boolean {
  const { data } = mailedSchema.safeParse(claimsOf(token))
  return data?.amr.some(({ method }) => method === 'otp') ?? false
}
