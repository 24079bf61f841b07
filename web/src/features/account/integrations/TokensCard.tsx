import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Divider, Group, Stack, Text } from '@mantine/core'
import { IconKey, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { MakeTokenDialog } from './MakeTokenDialog.tsx'
import { SCOPES, type Token, tokensQuery, useEndToken } from './tokens.ts'

/** The person's API tokens: list, create and delete. A token is shown only once. */
export function TokensCard() {
  const tokens = useQuery(tokensQuery)
  const [making, setMaking] = useState(false)
  const [ending, setEnding] = useState<Token | null>(null)
  const end = useEndToken(() => setEnding(null))
  return (
    <SectionCard
      titleId="tokens-title"
      title={t`Tokens for programs`}
      gap="xs"
      aside={
        <Button
          variant="default"
          leftSection={<IconKey size={18} aria-hidden />}
          onClick={() => setMaking(true)}
        >
          {t`Create a token`}
        </Button>
      }
    >
      <Text c="dimmed">{t`Let a script, a dashboard or your smart home read and write here for you. A token never moves money and can’t change who you are.`}</Text>
      <Loaded of={tokens} rows={1} failed={t`Your tokens could not be loaded`}>
        {(list) =>
          list.map((token, index) => (
            <Fragment key={token.id}>
              {index > 0 && <Divider />}
              <Row token={token} onEnd={() => setEnding(token)} />
            </Fragment>
          ))
        }
      </Loaded>
      {making && <MakeTokenDialog scopes={['read plans']} onClose={() => setMaking(false)} />}
      <ConfirmDialog
        opened={ending !== null}
        title={t`Remove this token?`}
        confirmLabel={t`Remove token`}
        cancelLabel={t`Keep token`}
        busy={end.isPending}
        onConfirm={() => ending && end.mutate(ending)}
        onClose={() => setEnding(null)}
      >
        <Trans>Programs that use “{ending?.name}” stop working at once.</Trans>
      </ConfirmDialog>
    </SectionCard>
  )
}

function Row({ token, onEnd }: { token: Token; onEnd: () => void }) {
  const { name, scopes, expiresAt, lastUsedAt } = token
  const isOver = new Date(expiresAt) <= new Date()
  return (
    <Group component="article" aria-label={name} gap="sm" wrap="nowrap">
      <IconKey size={24} aria-hidden style={{ flex: 'none' }} />
      <Stack gap={2} flex={1} miw={0}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {Object.entries(SCOPES)
            .flatMap(([scope, { title }]) => (scopes.some((one) => one === scope) ? title : []))
            .join(', ')}
        </Text>
        <Text size="sm" c="dimmed">
          {isOver ? t`Ended on ${fullDay(expiresAt)}.` : t`Works until ${fullDay(expiresAt)}.`}{' '}
          {lastUsedAt ? (
            <Trans>
              Last used <RelativeDate date={lastUsedAt} />.
            </Trans>
          ) : (
            t({ message: 'Not used yet.', context: 'a token' })
          )}
        </Text>
      </Stack>
      <ActionIcon color="beet" onClick={onEnd} aria-label={t`Remove ${name}`}>
        <IconTrash size={20} />
      </ActionIcon>
    </Group>
  )
}
