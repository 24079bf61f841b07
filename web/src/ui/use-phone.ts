import { useMediaQuery } from '@mantine/hooks'

/** True below 768 px, where the phone layout applies. */
export function usePhone(): boolean {
  return useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false
}
