/** As the forms offer them. */
export const GENDERS = ['unspecified', 'female', 'male', 'other'] as const;
