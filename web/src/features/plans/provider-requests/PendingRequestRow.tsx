import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Box, Button, Group, Text } from '@mantine/core'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import classes from './PendingRequestRow.module.css'
import { pendingRequestTexts } from './pending-requests.messages.ts'
import { useDecideProviderRequest } from './pending-requests.mutations.ts'
import type { PendingRequest } from './pending-requests.queries.ts'
import { requestCategoryName } from './provider-request.schema.ts'

interface PendingRequestRowProps {
  request: PendingRequest
  /** Undefined for the reader's own request, which another admin must decide. */
  onDecide: ((verdict: 'approved' | 'rejected') => void) | undefined
  /** The decision being saved. */
  deciding: 'approved' | 'rejected' | undefined
  disabled: boolean
}

/** Returns a function that renders a pending provider request as a row. Only one request can be decided at a time. */
export function usePendingRequestRow(userId: string) {
  const { mutate, isPending, variables } = useDecideProviderRequest()
  return (request: PendingRequest) => (
    <PendingRequestRow
      key={request.id}
      request={request}
      onDecide={request.userId === userId ? undefined : (verdict) => mutate({ request, verdict })}
      deciding={isPending && variables.request.id === request.id ? variables.verdict : undefined}
      disabled={isPending}
    />
  )
}

/** A pending provider request, with buttons to decide it. */
function PendingRequestRow({ request, onDecide, deciding, disabled }: PendingRequestRowProps) {
  const { providerName, category, website, createdAt } = request
  return (
    <Box component="article" className={classes.row} aria-label={providerName}>
      <Text fw={600}>
        <bdi>{providerName}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        <Trans>
          {requestCategoryName(category)} · asked <RelativeDate date={createdAt} />
        </Trans>
      </Text>
      <Anchor
        href={website}
        target="_blank"
        rel="noopener noreferrer nofollow"
        size="sm"
        className={classes.website}
      >
        {website}
      </Anchor>
      {onDecide ? (
        <Group gap="xs">
          <Button
            size="sm"
            loading={deciding === 'approved'}
            disabled={disabled}
            onClick={() => onDecide('approved')}
          >
            {t`Approve`}
          </Button>
          <Button
            size="sm"
            variant="default"
            loading={deciding === 'rejected'}
            disabled={disabled}
            onClick={() => onDecide('rejected')}
          >
            {t`Reject`}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {pendingRequestTexts.own}
        </Text>
      )}
    </Box>
  )
}
