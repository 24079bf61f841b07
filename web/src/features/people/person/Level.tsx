import { useDisclosure } from '@mantine/hooks'
import { lazy } from 'react'
import { LevelBadge } from '#features/trust/standing/LevelBadge.tsx'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const PersonDialog = lazy(() => onceOnline(() => import('./PersonDialog.tsx')))

/** Somebody's level beside their name; opens the dialog about them. */
export function Level({ userId, name }: { userId: string; name: string }) {
  const [asked, { open, close }] = useDisclosure()
  return (
    <>
      <LevelBadge userId={userId} name={name} onWhy={open} />
      <LazyDialog opened={asked}>
        {(opened) => <PersonDialog userId={userId} name={name} opened={opened} onClose={close} />}
      </LazyDialog>
    </>
  )
}
