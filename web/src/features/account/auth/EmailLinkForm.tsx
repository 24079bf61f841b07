import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMail } from '@tabler/icons-react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { looksLikeEmail } from '#domain/text.ts'
import { useChange } from '#lib/change.ts'
import { config } from '#lib/config.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { Agreement } from './Agreement.tsx'
import { emailProblem, sayMagicLinkFailed } from './auth.messages.ts'
import { sendMagicLink } from './auth.mutations.ts'
import { ExternalSignInOnly } from './ExternalSignInOnly.tsx'
import { InvitedOnly } from './InvitedOnly.tsx'
import { recallMail, rememberMail } from './mail-sent.ts'
import { NameInput } from './NameInput.tsx'
import { recallEmail, rememberTarget } from './post-login.ts'

interface EmailLinkFormProps {
  /** The page to which the mailed link leads. */
  target: string
  /** The page that contains this form. */
  from: string
}

/**
 * Asks for an e-mail address and an optional name, then mails a sign-in link that leads to `target`. Works for people
 * with and without an account.
 */
export const EmailLinkForm = (props: EmailLinkFormProps) =>
  config().signInByMail ? <ByMail {...props} /> : <ExternalSignInOnly wanted={props.target} />

function ByMail({ target, from }: EmailLinkFormProps) {
  const navigate = useNavigate()
  // Pages for visitors do not load the backend's client. Load it while the person types.
  const { connect } = useRouter().options.context
  useEffect(() => void connect().catch(() => undefined), [connect])
  const form = useForm({
    initialValues: { name: recallMail()?.name ?? '', email: recallEmail() },
    validate: { email: (email) => (looksLikeEmail(email) ? null : emailProblem) },
  })
  const send = useChange({
    run: async ({ name, email }: typeof form.values) => {
      await connect()
      rememberTarget(target)
      return sendMagicLink(email, name)
    },
    done: (_sent, { name, email }) => {
      rememberMail({ email, kind: 'link', name, from })
      return navigate({ to: '/signin', search: { success: true } })
    },
    failed: sayMagicLinkFailed,
  })
  return (
    <form noValidate onSubmit={form.onSubmit((values) => send.mutate(values))}>
      <Stack gap="sm">
        <InvitedOnly />
        <EmailInput autoFocus {...form.getInputProps('email')} />
        <NameInput email={form.values.email} {...form.getInputProps('name')} />
        <Button
          type="submit"
          fullWidth
          loading={send.isPending}
          leftSection={<IconMail size={18} aria-hidden />}
        >
          {t`Email me a link`}
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          <Trans>
            It brings you right back here, no password needed.{' '}
            <LinkAnchor inherit to="/signin" search={{ redirect: target }}>
              Use a password or passkey
            </LinkAnchor>
          </Trans>
        </Text>
        <Agreement />
      </Stack>
    </form>
  )
}
