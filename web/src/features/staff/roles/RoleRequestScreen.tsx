import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Card, Container, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { type NewRoleRequest, roleRequestSchema } from './role-request.schema.ts'
import { roleRequestTexts } from './role-requests.messages.ts'
import { useSendRoleRequest } from './role-requests.mutations.ts'
import { latestRoleRequestQuery } from './role-requests.queries.ts'

/**
 * The page that the administration shows to people who are not staff: a form for a role request, or a note while one
 * is pending.
 */
export function RoleRequestScreen() {
  const { id, email } = useUser()
  const latest = useQuery(latestRoleRequestQuery(id))
  return (
    <Container size="xs" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/">{t`Home`}</BackLink>
      <PageTitle title={roleRequestTexts.title}>{roleRequestTexts.restricted}</PageTitle>
      <Loaded of={latest} failed={roleRequestTexts.latestFailed}>
        {(last) =>
          last?.status === 'pending' ? (
            <EmptyState title={roleRequestTexts.sentTitle} order={2} mood="excited">
              {roleRequestTexts.sent}
            </EmptyState>
          ) : (
            <>
              {last && (
                <Alert color="clay" mb="md" icon={<IconInfoCircle aria-hidden />}>
                  {last.status === 'approved' ? (
                    <Trans>
                      Your last request was approved{' '}
                      <RelativeDate date={last.reviewedAt ?? last.requestedAt} />. You can send another one.
                    </Trans>
                  ) : (
                    <Trans>
                      Your last request was rejected{' '}
                      <RelativeDate date={last.reviewedAt ?? last.requestedAt} />. You can send another one.
                    </Trans>
                  )}
                </Alert>
              )}
              <RoleRequestForm email={email} />
            </>
          )
        }
      </Loaded>
    </Container>
  )
}

/** The form with name, e-mail address and reason. The person's own e-mail address is filled in. */
function RoleRequestForm({ email }: { email: string }) {
  const request = useSendRoleRequest()
  const form = useForm<NewRoleRequest>({
    initialValues: { name: '', email, reason: '' },
    validate: schemaResolver(roleRequestSchema, { sync: true }),
  })
  const send = form.onSubmit(
    (values) => request.mutate(roleRequestSchema.parse(values)),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  return (
    <form onSubmit={send} noValidate>
      <Card>
        <Stack gap="md">
          <TextInput label={t`Name`} autoComplete="name" withAsterisk {...form.getInputProps('name')} />
          <TextInput
            label={t`Email`}
            description={t`The email you sign in with.`}
            type="email"
            inputMode="email"
            autoComplete="email"
            withAsterisk
            {...form.getInputProps('email')}
          />
          <Textarea
            label={t`Reason`}
            placeholder={t`What you’d look after and why you need access`}
            autosize
            minRows={4}
            maxRows={12}
            withAsterisk
            {...form.getInputProps('reason')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={request.isPending}>
              {t`Submit Request`}
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  )
}
