import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { type ReviewToWrite, reviewsToWriteQuery } from './reviews.queries.ts'

const ReviewDialog = lazy(() => onceOnline(() => import('./ReviewDialog.tsx')))

/**
 * The first of the people still to be reviewed; renders nothing if there are none. With `asOwner`, asks only about
 * members of the person's own plans, otherwise only about owners of joined plans.
 */
export function ReviewsToWrite({ asOwner }: { asOwner: boolean }) {
  const { data = [] } = useQuery(reviewsToWriteQuery)
  const wanted = data.find((one) => one.asOwner === asOwner)
  if (!wanted) return null
  return (
    <SectionCard titleId="to-review-title" title={t`How was it?`}>
      <Wanted key={wanted.seatId} wanted={wanted} />
    </SectionCard>
  )
}

function Wanted({ wanted }: { wanted: ReviewToWrite }) {
  const [writing, { open, close }] = useDisclosure()
  const { personName: name, avatarUrl, plan, theyWrote } = wanted
  return (
    <Group gap="sm">
      <PersonAvatar name={name} src={avatarUrl} size={44} />
      <Stack gap={0} flex="1 1 7rem" miw={0}>
        <Text fw={600} truncate>
          <PersonLink truncate userId={wanted.personId} name={name} />
        </Text>
        <Text size="sm" c="dimmed">
          {theyWrote ? t`${plan}. They’ve already reviewed you.` : plan}
        </Text>
      </Stack>
      <Button variant="light" onClick={open} aria-label={t`Review ${name}`}>
        {t`Review`}
      </Button>
      <LazyDialog opened={writing}>
        {(opened) => <ReviewDialog wanted={wanted} opened={opened} onClose={close} />}
      </LazyDialog>
    </Group>
  )
}
