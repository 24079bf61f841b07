import { t } from '@lingui/core/macro'
import { Anchor, Button, Group, Stack, Text, TextInput, ThemeIcon } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailOpened } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '#lib/change.ts'
import { config } from '#lib/config.ts'
import { LinkAnchor } from '#ui/links.tsx'
import { useNow } from '#ui/use-now.ts'
import { AuthPanel } from './AuthPanel.tsx'
import { mailTexts, sayMailedCodeFailed, sayMailFailed } from './auth.messages.ts'
import { enterMailedCode, sendAgain } from './auth.mutations.ts'
import { mailWaitIn, rememberMail, type SentMail } from './mail-sent.ts'
import { rememberTarget } from './post-login.ts'

/** Asks people to open the mail they were sent. The text does not reveal whether the e-mail address has an account. */
export function CheckMailScreen({ sent, purpose }: { sent: SentMail; purpose?: string | null }) {
  const [mail, setMail] = useState(sent)
  const wait = Math.ceil((mail.again - useNow(1000)) / 1000)
  const again = useChange({
    run: () => sendAgain(mail),
    done: () => setMail(rememberMail(mail)),
    failed: (problem) => {
      const seconds = mailWaitIn(problem)
      if (seconds > 0) setMail(rememberMail(mail, seconds))
      else sayMailFailed(problem)
    },
  })
  const navigate = useNavigate()
  const { title, text } = mailTexts[mail.kind]
  return (
    <AuthPanel title={t`Check your email`} subline={text} purpose={purpose ?? null} mood="excited">
      <Stack gap="lg">
        <Group wrap="nowrap" gap="md">
          <ThemeIcon variant="light" color="herb" size={52} radius="xl">
            <IconMailOpened size={26} aria-hidden />
          </ThemeIcon>
          <Stack gap={0} miw={0}>
            <Text size="sm" c="herb" fw={600}>
              {title}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{mail.email}</Text>
          </Stack>
        </Group>
        {config().outbox && (
          <Anchor href="/outbox" target="_blank" rel="noreferrer">
            {t`Open the outbox`}
          </Anchor>
        )}
        <MailedCodeForm mail={mail} />
        <Button
          variant="secondary"
          fullWidth
          disabled={wait > 0}
          loading={again.isPending}
          onClick={() => again.mutate()}
        >
          {wait > 0 ? t`Send again in ${wait} s` : t`Send again`}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {again.isSuccess && t`Sent again.`} {t`Nothing there? Check your spam folder.`}
        </Text>
        <Group justify="space-between" gap="xs">
          <Anchor component="button" py={10} onClick={() => void navigate({ href: mail.from })}>
            {t`Change email`}
          </Anchor>
          <LinkAnchor to="/signin" search={{}} py={10}>
            {t`I have an account`}
          </LinkAnchor>
        </Group>
      </Stack>
    </AuthPanel>
  )
}

/**
 * Lets the person type the code from the mail. An app on a home screen needs this, since the mail's link opens in the
 * browser instead. The surrounding screen reacts to the sign-in.
 */
function MailedCodeForm({ mail }: { mail: SentMail }) {
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? t`Enter the code` : null) },
  })
  const enter = useChange({
    run: async (code: string) => {
      // After entering the code, the person gets to the same page as through the mail's link.
      if (mail.kind === 'recovery') rememberTarget('/reset-password')
      return enterMailedCode(mail, code)
    },
    failed: sayMailedCodeFailed,
  })
  return (
    <form noValidate onSubmit={form.onSubmit(({ code }) => enter.mutate(code))}>
      <Stack gap="sm">
        <TextInput
          label={t`Code from the email`}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
        />
        <Button type="submit" variant="primary" fullWidth loading={enter.isPending}>
          {t`Continue`}
        </Button>
      </Stack>
    </form>
  )
}
