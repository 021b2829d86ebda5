/** The specification that these rules read: its SHA-256, so that a run says which text it was judged by. */
export const specification = '45827e3194bfe2e73903beac5ebff9bf42b23ada80c651de842693f8a28169fa';
