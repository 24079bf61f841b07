import { t } from '@lingui/core/macro'
import { Card, Center, Group, Loader, SimpleGrid, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

interface CardGridProps {
  cards?: number
  columns?: number
  children?: ReactNode
}

/** A grid of placeholder cards in the shape of the loaded ones. */
export function CardGridSkeleton({ cards = 6, columns = 3, children }: CardGridProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: Math.min(2, columns), lg: columns }} aria-busy="true">
      <VisuallyHidden role="status">{t`Loading`}</VisuallyHidden>
      {children}
      {places(cards).map((place) => (
        <CardSkeleton key={place} />
      ))}
    </SimpleGrid>
  )
}

function CardSkeleton() {
  return (
    <Card aria-hidden>
      <Group wrap="nowrap">
        <Skeleton height={48} width={48} radius="md" />
        <Stack gap={8} flex={1}>
          <Skeleton height={14} width="60%" />
          <Skeleton height={12} width="40%" />
        </Stack>
      </Group>
      <Skeleton height={28} width="45%" mt="lg" />
      <Skeleton height={12} mt="md" />
    </Card>
  )
}

export function RowsSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <Stack gap="md" aria-busy="true">
      <VisuallyHidden role="status">{t`Loading`}</VisuallyHidden>
      {places(rows).map((place) => (
        <Group key={place} wrap="nowrap" aria-hidden>
          <Skeleton height={40} circle />
          <Stack gap={8} flex={1}>
            <Skeleton height={13} width="45%" />
            <Skeleton height={11} width="70%" />
          </Stack>
        </Group>
      ))}
    </Stack>
  )
}

/** The loading state of a screen without its own skeleton. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label={t`Loading`}>
      <Loader type="dots" />
    </Center>
  )
}

const places = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
